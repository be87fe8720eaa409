import { encode, renderSVG } from "uqr";
import { saveFile } from "@/components/ui/save-file";

export type QrKind = "svg" | "png";

/** ISO/IEC 18004 requires a quiet zone of four modules; without it scanners miss the code on dark paper. */
const LOOK = { ecc: "M", border: 4 } as const;
const PNG_PIXELS = 1024;

/** Downloads the QR code of `value`. Drawn in the browser, so that no third party learns the value. */
export async function saveQr(value: string, name: string, kind: QrKind): Promise<void> {
  const file = kind === "svg" ? new Blob([renderSVG(value, LOOK)], { type: "image/svg+xml" }) : await png(value);
  saveFile(`${name}.${kind}`, file);
}

function png(value: string): Promise<Blob> {
  const { data, size } = encode(value, LOOK);
  // A whole number of pixels for each module avoids grey edges.
  const scale = Math.ceil(PNG_PIXELS / size);
  const canvas = document.createElement("canvas");
  canvas.width = canvas.height = size * scale;
  const ink = canvas.getContext("2d");
  if (!ink) return Promise.reject(new Error("this browser draws no images"));
  ink.fillStyle = "white";
  ink.fillRect(0, 0, canvas.width, canvas.height);
  ink.fillStyle = "black";
  for (const [y, row] of data.entries()) {
    for (const [x, isDark] of row.entries()) if (isDark) ink.fillRect(x * scale, y * scale, scale, scale);
  }
  return new Promise((resolve, reject) =>
    canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error("this browser saves no images"))), "image/png"),
  );
}
