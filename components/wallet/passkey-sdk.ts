import type { CreateConnectorFn } from "wagmi";
import { coinbaseWallet } from "wagmi/connectors/coinbaseWallet";

/** wagmi's connector, for smart accounts only, without telemetry. */
export const open = (config: Parameters<CreateConnectorFn>[0]): ReturnType<CreateConnectorFn> =>
  coinbaseWallet({ appName: "Tessera", preference: { options: "smartWalletOnly", telemetry: false } })(config);
