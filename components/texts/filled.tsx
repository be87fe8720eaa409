import { Fragment, type ReactNode } from "react";
import { partsOf, type Template } from "./template";

/** Fills a template with elements, for example a link or a time. */
export const filled = <Hole extends string>(
  template: Template<Hole>,
  values: Readonly<Record<NoInfer<Hole>, ReactNode>>,
): ReactNode =>
  partsOf(template).map((part, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: a text always has the same parts
    <Fragment key={index}>{index % 2 === 0 ? part : values[part as Hole]}</Fragment>
  ));
