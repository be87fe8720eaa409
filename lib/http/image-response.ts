/** A response with a stranger's image. Its URL never serves a different image. */
export const imageResponse = (type: string, bytes: Uint8Array): Response =>
  new Response(new Uint8Array(bytes), {
    headers: {
      "Content-Type": type,
      "X-Content-Type-Options": "nosniff",
      // Opened on its own, the image is an inert document.
      "Content-Security-Policy": "default-src 'none'; sandbox",
      "Cross-Origin-Resource-Policy": "same-origin",
      "Cache-Control": "public, max-age=31536000, immutable",
    },
  });
