import type { System } from "@/lib/platform/context";
import type { Descriptor } from "./contract";
import { DESCRIPTOR_FILES, descriptorOf } from "./descriptors";
import { clearSigningErrors } from "./errors";

type Site = { config: Pick<System["config"], "baseUrl"> };

/** Throws DESCRIPTOR_NOT_FOUND. */
export function descriptorNamed({ config }: Site, file: string): Descriptor {
  const descriptor = descriptorOf(file, config.baseUrl);
  if (!descriptor) throw clearSigningErrors.DESCRIPTOR_NOT_FOUND();
  return descriptor;
}

export const descriptorList = (site: Site) => ({
  descriptors: DESCRIPTOR_FILES.map((file) => ({
    url: `${site.config.baseUrl}/.well-known/erc7730/${file}`,
    messages: Object.keys(descriptorNamed(site, file).display.formats),
  })),
});
