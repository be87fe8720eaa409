"use client";

import { useEffect } from "react";

/** In place of a page whose session has ended since its layout was loaded. Loading it anew brings the layout's sign-in. */
export function SessionOver() {
  useEffect(() => location.reload(), []);
  return <p role="status">Your session has ended. Loading the sign-in…</p>;
}
