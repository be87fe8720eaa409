import { writeFileSync } from "node:fs";
import { plainPicture } from "@/app/api/payment-links/[linkId]/picture/draw";
import { PLAIN_FILE } from "@/lib/links/pictures/service";
import { openThread } from "@/lib/links/pictures/thread";

/** `npx tsx dev/docs/plain-picture.tsx`: draws the preview picture for links without their own. */
const drawn = await openThread().draw(plainPicture());
if (drawn.type !== "drawn") throw new Error(`it was not drawn: ${JSON.stringify(drawn)}`);
writeFileSync(PLAIN_FILE, new Uint8Array(drawn.png));
process.exit();
