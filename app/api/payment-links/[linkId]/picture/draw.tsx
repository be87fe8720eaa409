import { isValidElement, type ReactNode } from "react";
import { PICTURE_SIZE, Picture, type PictureOf, PictureWithImage, PlainPicture } from "@/components/checkout/picture";
import type { Drawing } from "@/lib/links/pictures/thread";

export const pictureOf = (props: PictureOf): Drawing => drawingOf(<Picture {...props} />);

export const pictureWith = (props: PictureOf, image: ArrayBuffer): Drawing =>
  drawingOf(<PictureWithImage {...props} image={image} />);

export const plainPicture = (): Drawing => drawingOf(<PlainPicture />);

const drawingOf = (element: ReactNode): Drawing => ({ element: withoutFunctions(element), size: PICTURE_SIZE });

type Props = Record<string, unknown> & { children?: ReactNode };

/** Calls all components of the element, so that the result contains no functions and can be posted to a worker thread. */
function withoutFunctions(node: ReactNode): unknown {
  if (Array.isArray(node)) return node.map(withoutFunctions);
  if (!isValidElement<Props>(node)) return node;
  const { type, props } = node;
  // Components of pictures are plain functions of their props.
  if (typeof type === "function") return withoutFunctions((type as (props: Props) => ReactNode)(props));
  return { type, props: { ...props, children: withoutFunctions(props.children) } };
}
