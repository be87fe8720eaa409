import { writeFileSync } from "node:fs";
import { savedCross } from "@/packages/firewall/bench/cross-figures";
import { savedFigures } from "@/packages/firewall/bench/figures";
import { firewallDocument } from "./docs";

/** `npm run firewall:docs`: writes docs/firewall.md. */
writeFileSync("docs/firewall.md", firewallDocument(savedFigures(), savedCross()));
