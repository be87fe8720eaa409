import { NoSuch } from "@/components/site/no-such";

export const metadata = { title: "No such payee" };

export default function NotFound() {
  return (
    <NoSuch
      thing="payee"
      description="There is none at this address, or it belongs to another account. Nothing was signed."
    />
  );
}
