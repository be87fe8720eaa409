import { writeFileSync } from "node:fs";
import { savedFigures } from "@/packages/firewall/bench/figures";
import { firewallDocument } from "./docs";

/** `npm run firewall:docs`: writes docs/firewall.md. */
writeFileSync("docs/firewall.md", firewallDocument(savedFigures()));
