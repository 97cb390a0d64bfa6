import { Loaded, More, usePages } from '../../frame/data.tsx';
import { useFormats } from '../../frame/formats.ts';
import { client } from '../../service.ts';
import { Region } from '../../ui/section.tsx';
import { Empty } from '../../ui/states.tsx';

const statusStyles: Readonly<Record<string, string>> = { paid: 'success', open: 'warning' };

export function Invoices() {
  const { date, money } = useFormats();
  const invoices = usePages(
    ['invoices'],
    async (organizationId, { limit, cursor }, options) => {
      const page = await client.billing.listInvoices(
        { organizationId, limit, ...(cursor && { startingAfter: cursor }) },
        options,
      );
      const last = page.invoices.at(-1);

      return { ...page, pagination: { nextCursor: page.hasMore && last ? last.id : null } };
    },
    { limit: 10 },
  );

  return (
    <Region title="Invoices" about="For the plan.">
      <Loaded of={invoices}>
        {({ pages }) => {
          const all = pages.flatMap((page) => page.invoices);

          return all.length === 0 ? (
            <Empty title="No invoices yet" />
          ) : (
            <>
              <ul class="rows">
                {all.map(({ id, number, status, amount, currency, periodStart, downloadUrl }) => (
                  <li key={id} class="row">
                    <span class="row-main">
                      {number ?? 'Invoice'}
                      <span class="quiet small">{date(periodStart)}</span>
                    </span>
                    <span class={`badge ${statusStyles[status] ?? ''}`}>{status}</span>
                    <span class="amount">{money(amount, currency)}</span>
                    {downloadUrl && (
                      <a href={downloadUrl} target="_blank" rel="noopener">
                        PDF<span class="hidden"> of {number ?? 'the invoice'}</span>
                      </a>
                    )}
                  </li>
                ))}
              </ul>
              <More of={invoices} />
            </>
          );
        }}
      </Loaded>
    </Region>
  );
}
