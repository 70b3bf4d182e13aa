import { useEffect, useState } from 'react'
import { moneyOf } from '../amounts.ts'
import {
  type Coupon,
  type Customer,
  goods,
  type Line,
  Order,
  type Preview,
  type Sale,
} from '../goods.ts'
import { api, CallFailed, messageOf } from './api.ts'
import { CustomerPanel } from './CustomerPanel.tsx'
import { Receipt } from './Receipt.tsx'

/** The whole till: goods, basket, customer, and the receipt after the sale. */
export function Till() {
  const [sale, setSale] = useState<Sale | null>(null)
  const [turn, setTurn] = useState(0)
  return (
    <main>
      <h1>Example till</h1>
      {sale === null ? (
        <Basket key={turn} onSold={setSale} />
      ) : (
        <Receipt
          sale={sale}
          onNext={() => {
            setSale(null)
            setTurn(turn + 1)
          }}
        />
      )}
    </main>
  )
}

/** The identity of a sale: the same in every repeat. */
const newSale = () => ({
  id: crypto.randomUUID(),
  at: new Date().toISOString().replace(/\.\d+/, ''),
})

function Basket({ onSold }: { onSold: (sale: Sale) => void }) {
  const [lines, setLines] = useState<Line[]>([])
  const [customer, setCustomer] = useState<Customer | null>(null)
  const [coupons, setCoupons] = useState<Coupon[]>([])
  const [points, setPoints] = useState(0)
  const [identity, setIdentity] = useState(newSale)
  const [isBusy, setIsBusy] = useState(false)
  const [problem, setProblem] = useState<CallFailed | null>(null)
  const order: Order = {
    ...identity,
    memberCode: customer?.memberCode ?? null,
    lines,
    coupons,
    points,
  }
  const { preview, refused } = usePreview(order)

  async function pay(): Promise<void> {
    setIsBusy(true)
    setProblem(null)
    try {
      onSold(await api.sell(order))
    } catch (error) {
      if (!(error instanceof CallFailed)) throw error
      setProblem(error)
      // The steps of a refused sale were undone, so the next try is another sale.
      if (error.isFinal) setIdentity(newSale())
    } finally {
      setIsBusy(false)
    }
  }

  const message = problem?.message ?? refused
  // The result of a sale without an answer is open: it is repeated as it was, not changed.
  const isOpen = problem !== null && !problem.isFinal
  return (
    <div className="till">
      <fieldset disabled={isBusy || isOpen}>
        <legend>Goods</legend>
        <div className="goods">
          {goods.map(({ sku, name, cents }) => (
            <button key={sku} type="button" onClick={() => setLines(added(lines, sku, 1))}>
              <span>{name}</span>
              <b>{moneyOf(cents)}</b>
            </button>
          ))}
        </div>
      </fieldset>
      <fieldset disabled={isBusy || isOpen}>
        <CustomerPanel
          customer={customer}
          onFound={setCustomer}
          coupons={coupons}
          onCoupons={setCoupons}
          points={points}
          onPoints={setPoints}
        />
      </fieldset>
      <section aria-label="Basket" className="basket">
        <h2>Basket</h2>
        {lines.length === 0 ? <p className="quiet">Nothing yet. Press the goods.</p> : null}
        <ul>
          {lines.map(({ sku, quantity }) => (
            <li key={sku}>
              <span>
                {quantity} × {goods.find((one) => one.sku === sku)?.name}
              </span>
              <button
                type="button"
                disabled={isBusy || isOpen}
                aria-label={`One ${sku} less`}
                onClick={() => setLines(added(lines, sku, -1))}
              >
                −
              </button>
            </li>
          ))}
        </ul>
        <Sums preview={preview} />
        <p role="alert">{message}</p>
        <button
          type="button"
          className="pay"
          disabled={isBusy || lines.length === 0 || refused !== null}
          onClick={() => void pay()}
        >
          {isOpen ? 'Try again' : `Pay ${preview === null ? '' : moneyOf(preview.toPay)}`}
        </button>
      </section>
    </div>
  )
}

function Sums({ preview }: { preview: Preview | null }) {
  if (preview === null) return null
  const rows: [string, string][] = [['Total', moneyOf(preview.total)]]
  if (preview.discount > 0) rows.push(['Coupons', `−${moneyOf(preview.discount)}`])
  if (preview.byPoints > 0) rows.push(['Points', `−${moneyOf(preview.byPoints)}`])
  if (preview.earns !== null) rows.push(['Earns', `${preview.earns} points`])
  return (
    <dl>
      {rows.map(([label, value]) => (
        <div key={label}>
          <dt>{label}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  )
}

/** What the order costs and earns, asked again after each change. */
function usePreview(order: Order) {
  const [answer, setAnswer] = useState<{ preview: Preview | null; refused: string | null }>({
    preview: null,
    refused: null,
  })
  const asked = JSON.stringify(order)
  useEffect(() => {
    let isLatest = true
    const show = (next: typeof answer) => isLatest && setAnswer(next)
    api.preview(Order.parse(JSON.parse(asked))).then(
      (preview) => show({ preview, refused: null }),
      (error: unknown) => show({ preview: null, refused: messageOf(error) }),
    )
    return () => {
      isLatest = false
    }
  }, [asked])
  return answer
}

/** The lines with more or fewer units of some goods. */
function added(lines: Line[], sku: Line['sku'], more: number): Line[] {
  const quantity = (lines.find((line) => line.sku === sku)?.quantity ?? 0) + more
  const changed = { sku, quantity }
  const others = lines.map((line) => (line.sku === sku ? changed : line))
  const all = others.includes(changed) ? others : [...lines, changed]
  return all.filter((line) => line.quantity > 0)
}
