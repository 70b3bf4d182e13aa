import { thousandths } from '@tillside/contract/rules/decimal'
import { useLingui } from '@lingui/react/macro'
import type { TransactionItem, transactionDetail } from '@tillside/contract/transaction'
import type { Data } from '@tillside/contract/wire/endpoint'
import type * as z from 'zod/mini'
import { useDates } from '../company/calendar.ts'
import { CopyButton } from '../kit/page/CopyButton.tsx'
import { formatPoints } from '../kit/text/format.ts'
import { readMoney } from '@tillside/contract/rules/money'
import { useDecimals, useMoney } from '../company/money.ts'
import { withIndex } from '../kit/page/withIndex.ts'
import { useTypeName } from '../points/points.ts'
import { Figure } from '../ui/paper/Figure.tsx'
import { Receipt } from '../ui/paper/Receipt.tsx'
import { ReceiptRow } from '../ui/paper/ReceiptRow.tsx'
import { ExceptionTag } from './ExceptionTag.tsx'
import { useReceiptWords } from './transactions.ts'

export type WholeReceipt = Data<typeof transactionDetail>
type Item = z.infer<typeof TransactionItem>

/** From this many lines on, the total stays visible while the lines scroll. */
const manyLines = 12

/** A receipt as the till prints it: goods, discounts, total. */
export function ReceiptPaper({ receipt }: { receipt: WholeReceipt }) {
  return (
    <Receipt>
      <Facts receipt={receipt} />
      {receipt.items.length === 0 ? null : (
        <ul className="border-t border-dashed border-line py-1.5">
          {withIndex(receipt.items).map(([number, item]) => (
            // A receipt may have the same article on several lines.
            <li key={number} className="receipt-line py-1.5">
              <Line item={item} />
            </li>
          ))}
        </ul>
      )}
      <Coupons receipt={receipt} />
      <div
        className={
          'border-t border-dashed border-line pt-1.5 ' +
          (receipt.items.length > manyLines ? 'above-tabs bg-surface' : '')
        }
      >
        <Sums receipt={receipt} />
      </div>
      <PointLines receipt={receipt} />
    </Receipt>
  )
}

function Facts({ receipt }: { receipt: WholeReceipt }) {
  const { t } = useLingui()
  const dates = useDates()
  const words = useReceiptWords()
  const source = words.source(receipt.source)
  const { store, sales } = receipt
  return (
    <div className="pb-2">
      <div className="flex flex-wrap items-baseline justify-between gap-x-4">
        <p className="min-w-0 text-strong break-words">
          {store === null ? source : store.name}
          {store === null ? null : (
            <span className="ms-2 text-small font-normal text-ink2">{store.code}</span>
          )}
        </p>
        <ExceptionTag row={receipt} />
      </div>
      <p className="num text-small text-ink2">{dates(receipt.date, 'long')}</p>
      <p className="num -my-1 flex flex-wrap items-center justify-between gap-x-2">
        <span className="min-w-0 break-all">{receipt.invoiceNumber}</span>
        <span className="-me-3 print:hidden">
          <CopyButton text={receipt.invoiceNumber} />
        </span>
      </p>
      <ReceiptRow
        label={t({ id: 'tx.status', message: 'Status' })}
        value={words.status(receipt.status)}
      />
      <ReceiptRow
        label={t({ id: 'tx.type', message: 'Invoice type' })}
        value={words.type(receipt.invoiceType)}
      />
      {source === null ? null : (
        <ReceiptRow label={t({ id: 'tx.source', message: 'Source' })} value={source} />
      )}
      {sales === null ? null : (
        <ReceiptRow label={t({ id: 'tx.sales', message: 'Sales' })} value={sales} />
      )}
    </div>
  )
}

function Line({ item }: { item: Item }) {
  const { t } = useLingui()
  const money = useMoney()
  const places = useDecimals()
  return (
    <div className="grid grid-cols-[minmax(0,1fr)_auto] gap-x-6">
      <p className="col-span-2 break-words">
        {item.skuName}
        <span className="ms-2 text-small break-all text-ink3">{item.skuCode}</span>
      </p>
      <p className="num text-small text-ink2">
        {formatQuantity(item.quantity)}
        {' × '}
        {formatPrice(item.price, money, places)}
      </p>
      <p className="num text-end">{money(item.total)}</p>
      {isNothing(item.discount) ? null : (
        <>
          <p className="text-small text-ink2">
            {t({ id: 'tx.lineDiscount', message: 'Discount' })}
          </p>
          <p className="num text-end text-small text-ink2">{money(deducted(item.discount))}</p>
          <p className="num col-span-2 text-end">{money(item.spend)}</p>
        </>
      )}
    </div>
  )
}

function Coupons({ receipt: { coupons } }: { receipt: WholeReceipt }) {
  const { t } = useLingui()
  const money = useMoney()
  if (coupons === null || coupons.length === 0) return null
  return (
    <section className="border-t border-dashed border-line py-1.5">
      <h3 className="text-small text-ink2">{t({ id: 'tx.coupons', message: 'Coupons used' })}</h3>
      {coupons.map(({ code, name, value, quantity }) => (
        <div key={code} className="grid grid-cols-[minmax(0,1fr)_auto] gap-x-6 py-1">
          <p className="min-w-0 break-words">
            {name}
            <span className="num ms-2 text-small break-all text-ink3">{code}</span>
            {quantity === 1 ? null : <span className="num ms-2 text-small">× {quantity}</span>}
          </p>
          <p className="num text-end">
            {value === null || isNothing(value) ? '' : money(deducted(value))}
          </p>
        </div>
      ))}
    </section>
  )
}

function Sums({ receipt }: { receipt: WholeReceipt }) {
  const { t } = useLingui()
  const money = useMoney()
  const isCancelled = receipt.status === 'cancelled'
  return (
    <>
      <ReceiptRow
        label={t({ id: 'tx.total', message: 'Total amount' })}
        value={money(receipt.totalAmount)}
      />
      {isNothing(receipt.orderDiscount) ? null : (
        <ReceiptRow
          label={t({ id: 'tx.discount', message: 'Order discount' })}
          value={money(deducted(receipt.orderDiscount))}
        />
      )}
      <dl className="flex flex-wrap items-baseline justify-between gap-x-6">
        <dt className="text-strong">{t({ id: 'tx.net', message: 'Net spend' })}</dt>
        <dd
          className={
            'ms-auto flex min-w-[min(10rem,100%)] flex-1 text-end ' +
            (isCancelled ? 'text-ink2 line-through' : '')
          }
        >
          <Figure size="l" as="span">
            {money(receipt.netSpend)}
          </Figure>
        </dd>
      </dl>
    </>
  )
}

function PointLines({ receipt: { points } }: { receipt: WholeReceipt }) {
  const { t } = useLingui()
  const typeName = useTypeName()
  if (points === null || points.length === 0) return null
  return (
    <section className="mt-1.5 border-t border-dashed border-line pt-1.5">
      <h3 className="sr-only">{t({ id: 'home.points', message: 'Points' })}</h3>
      {points.map(({ id, type, points: moved }) => (
        <ReceiptRow key={id} label={typeName(type)} value={formatPoints(moved, true)} />
      ))}
    </section>
  )
}

/** A deducted amount: `5.00` → `-5.00`; a returned discount is added: `-5.00` → `5.00`. */
function deducted(amount: string): string {
  return amount.startsWith('-') ? amount.slice(1) : `-${amount}`
}

function isNothing(amount: string): boolean {
  return thousandths(amount) === 0n
}

/** Wholesale prices may have more decimals than the currency. */
function formatPrice(price: string, money: (amount: string) => string, places: number): string {
  return readMoney(price, places) === null ? price : money(price)
}

function formatQuantity(quantity: number): string {
  return String(quantity).replace('-', '\u2212')
}
