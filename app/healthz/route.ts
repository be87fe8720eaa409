/** Alive: the process answers. It says nothing of what stands behind it. */
export const GET = () => Response.json({ status: "ok" }, { headers: { "Cache-Control": "no-store" } });
