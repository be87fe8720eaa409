/** Reads wagmi's stored connection, without loading wagmi. A file of its own: every checkout loads it. */
export function wasConnected(): boolean {
  try {
    return /"current":"/.test(localStorage.getItem("tessera.wallet.store") ?? "");
  } catch {
    return false;
  }
}
