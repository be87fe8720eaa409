import { NoSuch } from "@/components/site/no-such";

export const metadata = { title: "No such refund" };

export default function NotFound() {
  return (
    <NoSuch
      thing="refund"
      description="Either there is none at this address, or it is for another account. Nothing has moved."
    />
  );
}
