"use client";

import PageError from "../../error";

/** The error page of the site, which is in English. */
export default function ReceiptError(props: Parameters<typeof PageError>[0]) {
  return (
    <div lang="en">
      <PageError {...props} />
    </div>
  );
}
