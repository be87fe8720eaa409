import { DEFAULT_NETWORK, NETWORK_NAMES, networkNamed } from "../../../x402/src/networks.ts";
import { TesseraError } from "../errors.ts";
import { formatUsdc } from "../money.ts";
import { cancellationsOf, discoveryOf, fundsOf } from "../services.ts";
import { type Command, print } from "./command.ts";
import { UsageError } from "./io.ts";

type Found = Awaited<ReturnType<ReturnType<typeof discoveryOf>["list"]>>["items"][number];
const row = ({ resource, description, accepts }: Found) => {
  const [offer] = accepts as { amount?: unknown; network?: unknown }[];
  const price = typeof offer?.amount === "string" ? formatUsdc(offer.amount) : null;
  return { url: resource, description, price, network: offer?.network };
};

/** `tessera search [words]`: what the service lists for sale. */
export const search: Command = async (run) => {
  const { args, tessera } = run;
  const query = args.words.slice(1).join(" ");
  const discovery = discoveryOf(tessera);
  const limit = args.whole("limit");
  const items =
    query === "" ? (await discovery.list({ limit })).items : (await discovery.search({ query, limit })).resources;
  print(run, args.isJson ? items : items.map(row));
};

/** `tessera cancellation ID`: prints the typed data that the payer signs; with `--signature`, submits the signature. */
export const cancellation: Command = async (run) => {
  const { args, tessera } = run;
  const settlementId = args.need(args.words[1], "the settlement's id");
  const signature = args.text("signature");
  const cancellations = cancellationsOf(tessera);
  print(
    run,
    signature === undefined
      ? await cancellations.get(settlementId)
      : await cancellations.submit(settlementId, signature),
  );
};

/** `tessera test-usdc [address]`: mints to the owner's spending wallet if no address is given. Only on a service with local chains. */
export const testUsdc: Command = async (run) => {
  const { args, tessera } = run;
  const address = args.words[1] ?? (await tessera.status()).agent.walletAddress;
  if (address === null) throw new UsageError("the agent has no wallet yet: name an address");
  const body = { address, amount: args.usdc("amount"), network: args.text("network") };
  print(run, { address, balance: formatUsdc(await fundsOf(tessera).mintTestUsdc(body)) });
};

/** `tessera balance ADDRESS`: the USDC of any address. */
export const balance: Command = async (run) => {
  const { args, tessera } = run;
  const network = networkNamed(args.text("network") ?? DEFAULT_NETWORK)?.name;
  if (!network) throw new UsageError(`--network must be ${NETWORK_NAMES.join(" or ")}`);
  const address = args.need(args.words[1], "the address");
  const amount = await fundsOf(tessera).balance(address, network);
  if (amount === null) throw new TesseraError({ code: "chain_unavailable", message: "The chain does not respond" });
  print(run, { address, network, balance: formatUsdc(amount) });
};
