// The thread that draws pictures: layout (satori) and pixels (resvg) take up to half a second, and read images of strangers.
import { register } from "node:module";
import { parentPort } from "node:worker_threads";

// Where sharp is installed, the library would decode with native code, which no time limit ends.
const WITHOUT_SHARP = `export const resolve = (name, context, next) => {
  if (name === "sharp") throw new Error("pictures are drawn without it");
  return next(name, context);
};`;
register(`data:text/javascript,${encodeURIComponent(WITHOUT_SHARP)}`);

// It would fetch fonts for letters that it does not have.
globalThis.fetch = () => Promise.reject(new Error("pictures need no network"));

// The library of `next/og` without Next around it.
const { ImageResponse } = await import("next/dist/compiled/@vercel/og/index.node.js");

const draw = (element, size) => new ImageResponse(element, size).arrayBuffer();
// The first one takes many times as long as the others.
await draw({ type: "div", props: { children: "Tessera" } }, { width: 64, height: 64 });

parentPort?.on("message", async ({ element, size }) => {
  try {
    const png = await draw(element, size);
    parentPort?.postMessage({ type: "drawn", png }, [png]);
  } catch (thrown) {
    parentPort?.postMessage({ type: "failed", reason: String(thrown) });
  }
});
parentPort?.postMessage({ type: "ready" });
