import { writeFileSync } from "node:fs";
import { firewallDocument } from "./firewall-docs";
import { savedFigures } from "./firewall-figures";

/** `npm run firewall:docs`: writes docs/firewall.md. */
writeFileSync("docs/firewall.md", firewallDocument(savedFigures()));
