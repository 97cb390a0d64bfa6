import { Loaded, More, usePages } from '../../frame/data.tsx';
import { useFormats } from '../../frame/formats.ts';
import { client } from '../../service.ts';
import { Region } from '../../ui/section.tsx';
import { Empty } from '../../ui/states.tsx';

export function Transactions() {
  const { date, number, money } = useFormats();
  const transactions = usePages(
    ['transactions'],
    (organizationId, page, options) =>
      client.billing.listTransactions({ organizationId, ...page }, options),
    { limit: 10 },
  );

  return (
    <Region title="Credits added" about="Purchases, refills, plans and corrections.">
      <Loaded of={transactions}>
        {({ pages }) => {
          const all = pages.flatMap((page) => page.transactions);

          return all.length === 0 ? (
            <Empty title="Nothing yet" />
          ) : (
            <>
              <ul class="rows">
                {all.map(({ id, createdAt, description, credits, amount, currency }) => (
                  <li key={id} class="row">
                    <span class="row-main">
                      {description}
                      <span class="quiet small">{date(createdAt)}</span>
                    </span>
                    <span class="amount">
                      {number(credits)} credits
                      {amount > 0 && ` · ${money(amount, currency)}`}
                    </span>
                  </li>
                ))}
              </ul>
              <More of={transactions} />
            </>
          );
        }}
      </Loaded>
    </Region>
  );
}
