/** Liveness: the process responds. It does not check the database or the chains. */
export const GET = () => Response.json({ status: "ok" }, { headers: { "Cache-Control": "no-store" } });
