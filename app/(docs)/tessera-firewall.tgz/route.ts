import { packedPackage } from "@/lib/docs/packed";

export const dynamic = "force-dynamic";

export const GET = (): Promise<Response> => packedPackage("firewall");
