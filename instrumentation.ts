/** Runs once when Next starts. The server of `npm start` has started the service then. */
export async function register(): Promise<void> {
  if (process.env.NEXT_RUNTIME === "nodejs") {
    const { startWithNext } = await import("@/lib/start");
    await startWithNext();
  }
}
