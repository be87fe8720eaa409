import { PICTURE_SIZE, Picture, type PictureOf } from "./picture";

const IMAGE_WIDTH = 520;

/** The preview of a link, with the image of its seller at the side. */
export const PictureWithImage = ({ image, ...props }: PictureOf & { image: ArrayBuffer }) => (
  <div style={{ display: "flex", width: "100%", height: "100%", background: "#f7f7f4" }}>
    <div style={{ display: "flex", width: PICTURE_SIZE.width - IMAGE_WIDTH, height: "100%" }}>
      <Picture {...props} isNarrow />
    </div>
    {/* Passed as bytes: the library caches every URL that it has seen, even data URLs. */}
    {/* biome-ignore lint/performance/noImgElement: no browser draws this */}
    <img
      alt=""
      src={image as unknown as string}
      width={IMAGE_WIDTH}
      height={PICTURE_SIZE.height}
      style={{ objectFit: "cover", flexShrink: 0, background: "#e7e7e2" }}
    />
  </div>
);
