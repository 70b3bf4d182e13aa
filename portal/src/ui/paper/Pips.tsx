import type { TierTone } from './TierSurface.tsx'

export type PipsProps = {
  filled: number
  total: number
  /** The rank in words; empty if the words are next to the dots. */
  label: string
  /** Outside a card: the colour of that rank. On a card the dots have the card's text colour. */
  tone?: TierTone | undefined
}

const inks: Record<TierTone, string> = {
  stone: 'text-chip-stone',
  pine: 'text-chip-pine',
  brass: 'text-chip-brass',
  midnight: 'text-chip-midnight',
}

/** A rank as dots: ●●○○. */
export function Pips({ filled, total, label, tone }: PipsProps) {
  const pips = Array.from({ length: total }, (_, index) => index < filled)
  return (
    <svg
      {...(label === '' ? { 'aria-hidden': true } : { role: 'img', 'aria-label': label })}
      viewBox={`0 0 ${total * 12 - 4} 8`}
      className={`inline-block h-2 w-auto shrink-0 ${tone ? inks[tone] : ''}`}
    >
      {pips.map((full, index) => (
        <circle
          // oxlint-disable-next-line react/no-array-index-key -- the place is the identity
          key={index}
          cx={index * 12 + 4}
          cy="4"
          r="3.25"
          fill={full ? 'currentColor' : 'none'}
          stroke="currentColor"
          strokeWidth="1.5"
        />
      ))}
    </svg>
  )
}
