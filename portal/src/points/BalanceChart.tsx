import { useLingui } from '@lingui/react/macro'
import { useId } from 'react'
import { useDates } from '../company/calendar.ts'
import { formatPoints } from '../kit/text/format.ts'
import { useLanguage } from '../kit/text/language.ts'
import {
  spacedOut,
  type Corner,
  type Loss,
  type Mark,
  nearestMark,
  type Chart as Shape,
} from './balanceChart.ts'
import { useWidth } from '../kit/page/useWidth.ts'
import { useControlled } from '../ui/field/useControlled.ts'

type BalanceChartProps = {
  shape: Shape
  balance: number
  nextLoss: Loss | null
  /** The selected entry. */
  chosen: string | null
  onChoose: (id: string) => void
  /** One line that describes an entry, read out when the cursor moves. */
  describe: (mark: Mark) => string
}

const pad = { top: 28, bottom: 28, side: 8 }

/**
 * The balance as a chart: the past, today, and the points that will expire unless they are used.
 */
export function BalanceChart({
  shape,
  balance,
  nextLoss,
  chosen,
  onChoose,
  describe,
}: BalanceChartProps) {
  const { t } = useLingui()
  const restore = useControlled()
  const [box, width] = useWidth()
  const height = width < 560 ? 140 : 200
  const title = useSentence(shape, balance, nextLoss)
  const { marks } = shape
  const cursor = marks.findIndex(({ ids }) => chosen !== null && ids.includes(chosen))
  const at = (index: number) => {
    const id = marks[index]?.ids[0]
    if (id !== undefined) onChoose(id)
  }
  const mark = marks[cursor]
  return (
    <div
      ref={box}
      className={
        'relative rounded-card border border-line bg-surface p-3 medium:p-4 ' +
        'has-focus-visible:outline-2 has-focus-visible:outline-offset-2 ' +
        'has-focus-visible:outline-focus'
      }
    >
      {width === 0 ? (
        <div style={{ height: 140 }} />
      ) : (
        <Drawing shape={shape} width={width} height={height} cursor={mark ?? null} title={title} />
      )}
      {marks.length === 0 ? null : (
        // A native range input, so that arrow keys and screen readers work.
        <input
          type="range"
          min={0}
          max={marks.length - 1}
          value={cursor < 0 ? marks.length - 1 : cursor}
          aria-label={t({ id: 'pt.cursor', message: 'Entry' })}
          aria-valuetext={mark ? describe(mark) : ''}
          onChange={(event) => {
            at(Number(event.target.value))
            restore()
          }}
          onFocus={() => (cursor < 0 ? at(marks.length - 1) : undefined)}
          onPointerDown={(event) => {
            // Entries are not evenly spaced, so a tap selects the nearest one.
            event.preventDefault()
            event.currentTarget.focus({ preventScroll: true })
            const { left } = event.currentTarget.getBoundingClientRect()
            at(nearestMark(marks, (event.clientX - left - pad.side) / (width - 2 * pad.side)))
          }}
          className="absolute inset-3 m-0 cursor-pointer opacity-0 medium:inset-4"
          style={{ width, height }}
        />
      )}
    </div>
  )
}

/** The chart as one sentence, for screen readers. */
function useSentence(shape: Shape, balance: number, nextLoss: Loss | null): string {
  const { t } = useLingui()
  const dates = useDates()
  const n = formatPoints(balance)
  const was = formatPoints(shape.start)
  const from = dates(shape.from)
  const lost = formatPoints(nextLoss?.points ?? 0)
  const date = nextLoss ? dates(nextLoss.day) : ''
  return [
    t({ id: 'pt.now', message: `Balance ${n}.` }),
    t({ id: 'pt.was', message: `On ${from} it was ${was}.` }),
    nextLoss ? t({ id: 'pt.lost', message: `${lost} points expire on ${date}.` }) : '',
  ].join(' ')
}

type DrawingProps = {
  shape: Shape
  width: number
  height: number
  cursor: Mark | null
  title: string
}

function Drawing({ shape, width, height, cursor, title }: DrawingProps) {
  const hatch = useId()
  const inner = width - 2 * pad.side
  const bottom = height - pad.bottom
  const x = (part: number) => pad.side + part * inner
  const y = (points: number) =>
    bottom - ((points - shape.low) / (shape.high - shape.low)) * (bottom - pad.top)
  const line = (corners: readonly Corner[]) =>
    corners.map((one, index) => `${index === 0 ? 'M' : 'L'}${x(one.x)} ${y(one.y)}`).join('')
  const first = shape.past[0]?.x ?? 0
  const balance = shape.past.at(-1)?.y ?? 0
  const zero = y(Math.max(0, shape.low))
  return (
    <svg
      role="img"
      aria-label={title}
      width={width}
      height={height}
      viewBox={`0 0 ${width} ${height}`}
      className="num block max-w-full"
    >
      <pattern
        id={hatch}
        width="6"
        height="6"
        patternUnits="userSpaceOnUse"
        patternTransform="rotate(45)"
      >
        <line y2="6" className="stroke-warning" strokeWidth="2.5" opacity="0.7" />
      </pattern>
      <path
        d={`${line(shape.past)}L${x(shape.now)} ${zero}L${x(first)} ${zero}Z`}
        className="fill-brand-tint"
      />
      <path
        d={`M${x(0)} ${zero}H${x(1)}`}
        className="stroke-line"
        strokeWidth="1"
        shapeRendering="crispEdges"
      />
      {shape.lost.map((one) => (
        <rect
          key={one.day}
          x={x(one.x)}
          y={y(one.top)}
          width={Math.max(0, x(one.end) - x(one.x))}
          height={Math.max(0, y(one.bottom) - y(one.top))}
          fill={`url(#${hatch})`}
        />
      ))}
      <path
        d={line(shape.future)}
        fill="none"
        className="stroke-brand-line"
        strokeWidth="2"
        strokeDasharray="2 4"
      />
      <path d={line(shape.past)} fill="none" className="stroke-brand-line" strokeWidth="2" />
      <path
        d={`M${x(shape.now)} ${pad.top - 14}V${bottom}`}
        className="stroke-ink3"
        strokeWidth="1"
        strokeDasharray="2 3"
      />
      <circle
        cx={x(shape.now)}
        cy={y(balance)}
        r="5"
        className="fill-surface stroke-brand-line"
        strokeWidth="2"
      />
      {cursor === null ? null : (
        <path
          d={`M${x(cursor.x)} ${pad.top}V${bottom}M${x(cursor.x) - 3} ${y(cursor.balance)}h6`}
          className="stroke-ink"
          strokeWidth="1.5"
        />
      )}
      <Dots marks={shape.marks} cursor={cursor} x={x} y={y} />
      <Labels shape={shape} x={x} y={y} width={width} />
      <Days shape={shape} x={x} y={height - 6} width={inner} />
    </svg>
  )
}

type DotsProps = {
  marks: readonly Mark[]
  cursor: Mark | null
  x: (part: number) => number
  y: (points: number) => number
}

/** Uses are filled and returns are rings, so that colour is not the only difference. */
function Dots({ marks, cursor, x, y }: DotsProps) {
  const shown = marks.filter((mark) => mark.isMarked || mark === cursor)
  return shown.map((mark) => (
    <circle
      key={mark.ids[0]}
      cx={x(mark.x)}
      cy={y(mark.balance)}
      r={mark === cursor ? 5 : 3.5}
      className={mark.up ? 'fill-surface stroke-ink' : 'fill-ink stroke-surface'}
      strokeWidth="1.5"
    />
  ))
}

type LabelsProps = Omit<DotsProps, 'marks' | 'cursor'> & { shape: Shape; width: number }

/** The width of a digit of the labels, rounded up. */
const digitWidth = 8

/** The highest balance of the past, and the points that expire next. */
function Labels({ shape: { peak, lost }, x, y, width }: LabelsProps) {
  const [next] = lost
  const most = peak === null ? '' : formatPoints(peak.y)
  const loss = next === undefined ? '' : formatPoints(next.bottom - next.top)
  const end = width - pad.side
  const half = (most.length * digitWidth) / 2
  // Next to an expiry the label of the peak is at its left, so that they do not cover each other.
  const isNear = peak && next && Math.abs(x(peak.x) - x(next.x)) < 2 * labelWidth
  const left = isNear ? 2 * half : half
  return (
    <g className="fill-ink2 text-caption">
      {peak ? (
        <text
          x={Math.max(pad.side, Math.min(end - 2 * half, x(peak.x) - left))}
          y={y(peak.y) - labelGap}
        >
          {most}
        </text>
      ) : null}
      {next ? (
        <text
          x={Math.min(end - loss.length * digitWidth, x(next.x))}
          y={y(next.top) - labelGap}
          className="fill-warning font-semibold"
        >
          {loss}
        </text>
      ) : null}
    </g>
  )
}

/** The space between a label and its line. */
const labelGap = 9

type DaysProps = { shape: Shape; x: (part: number) => number; y: number; width: number }

const labelWidth = 46

/** The labels of the axis: the start, today, and each expiry day, if there is room. */
function Days({ shape, x, y, width }: DaysProps) {
  const { t } = useLingui()
  const dates = useDates()
  const english = useLanguage() === 'en-US'
  const month = (day: string) => (english ? dates(day).slice(3) : dates(day).slice(0, 7))
  const short = (day: string) => (english ? dates(day).slice(0, 5) : dates(day).slice(5))
  const room = labelWidth / width
  const ends = spacedOut(shape.lost, shape.now, room).filter((one) => one.x + room / 2 < 1.04)
  return (
    <g className="fill-ink2 text-caption" textAnchor="middle">
      <text x={x(0)} y={y} textAnchor="start">
        {month(shape.from)}
      </text>
      <text x={x(shape.now)} y={y} className="fill-ink">
        {t({ id: 'pt.today', message: 'Today' })}
      </text>
      {ends.map((one) => (
        <text key={one.day} x={x(one.x)} y={y}>
          {short(one.day)}
        </text>
      ))}
    </g>
  )
}
