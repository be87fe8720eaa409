import { NoSuch } from "@/components/site/no-such";

export const metadata = { title: "No such payout" };

export default function NotFound() {
  return (
    <NoSuch
      thing="payout"
      description="It does not exist, or it belongs to another account. If your agent sent you here, ask it for the full link, which ends with a token. Nothing was paid."
    />
  );
}
