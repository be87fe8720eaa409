import { ImageResponse } from "next/og";
import { PICTURE_SIZE, Picture, type PictureOf } from "@/components/checkout/picture";
import { PictureWithImage } from "@/components/checkout/picture-with-image";

const KEPT_MAX = 200;
const kept = new Map<string, ArrayBuffer>();

export type SellersImage = {
  imageId: string;
  /** Null once it is deleted. */
  read: () => Promise<ArrayBuffer | null>;
  /** Runs if it cannot be drawn. The picture is then drawn without it. */
  onBroken: (err: unknown) => void;
};

/** A PNG. The last ones are kept: drawing one takes a tenth of a second of CPU, and half a second with an image of the seller. */
export async function draw(of: PictureOf, image: SellersImage | null): Promise<ArrayBuffer> {
  const key = JSON.stringify({ ...of, imageId: image?.imageId });
  const known = kept.get(key);
  if (known) return known;
  const bytes = (image && (await drawWith(of, image))) ?? (await render(<Picture {...of} />));
  const [oldest] = kept.keys();
  if (kept.size >= KEPT_MAX && oldest !== undefined) kept.delete(oldest);
  kept.set(key, bytes);
  return bytes;
}

async function drawWith(of: PictureOf, { read, onBroken }: SellersImage): Promise<ArrayBuffer | null> {
  const image = await read();
  if (!image) return null;
  try {
    return await render(<PictureWithImage {...of} image={image} />);
  } catch (thrown) {
    onBroken(thrown);
    return null;
  }
}

const render = (element: React.ReactElement): Promise<ArrayBuffer> =>
  new ImageResponse(element, PICTURE_SIZE).arrayBuffer();
