import { NoSuch } from "@/components/site/no-such";

export const metadata = { title: "No such refund" };

export default function NotFound() {
  return (
    <NoSuch thing="refund" description="It does not exist, or it belongs to another account. Nothing has moved." />
  );
}
