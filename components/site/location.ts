"use client";

import { usePathname, useSearchParams } from "next/navigation";

/** Next types both as possibly absent, because the front page is no page of the app's router. The others always have them. */
export const usePath = (): string => usePathname() ?? "/";
export const useQuery = (): URLSearchParams => new URLSearchParams(useSearchParams()?.toString());
