import { NoSuch } from "@/components/site/no-such";

export const metadata = { title: "No such payee" };

export default function NotFound() {
  return (
    <NoSuch thing="payee" description="It does not exist, or it belongs to another account. Nothing was signed." />
  );
}
