import type { CreateConnectorFn } from "wagmi";
import { coinbaseWallet } from "wagmi/connectors/coinbaseWallet";

/** The connector of wagmi, for smart accounts only. It reports nothing about its use. */
export const open = (config: Parameters<CreateConnectorFn>[0]): ReturnType<CreateConnectorFn> =>
  coinbaseWallet({ appName: "Tessera", preference: { options: "smartWalletOnly", telemetry: false } })(config);
