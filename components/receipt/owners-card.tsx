import { SoldFacts } from "@/components/sales/sale-details";
import { Card } from "@/components/ui/card";
import { Facts } from "@/components/ui/facts";
import { Link } from "@/components/ui/link";
import type { SaleView } from "@/lib/links/sales/contract";

/** The part of a receipt that only the paid owner sees. In English, as the dashboard is. */
export const OwnersCard = ({ sale }: { sale: SaleView }) => (
  <Card title="Only you see this" lang="en" data-print="no">
    <Facts>
      <SoldFacts sale={sale} />
    </Facts>
    <p className="mt-4">
      <Link
        href={`/dashboard/payments/${sale.id}`}
        className="text-control font-medium text-brand underline underline-offset-4 max-sm:py-3.25"
      >
        Open this payment in the dashboard
      </Link>
    </p>
  </Card>
);
