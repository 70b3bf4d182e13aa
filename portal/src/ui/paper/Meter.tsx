export type MeterProps = {
  value: number
  max: number
  /** The value in words: "2,010.00 of 3,250.00". */
  text: string
  /** The accessible name; by default the text. */
  label?: string | undefined
}

/** A progress bar in the edge colour of its card. */
export function Meter({ value, max, text, label }: MeterProps) {
  const share = max > 0 ? Math.min(1, Math.max(0, value / max)) : 1
  return (
    <div
      // A native <meter> cannot be styled in every browser.
      // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role
      role="meter"
      aria-label={label ?? text}
      aria-valuemin={0}
      aria-valuemax={max}
      aria-valuenow={Math.min(Math.max(0, value), max)}
      aria-valuetext={text}
      className="meter"
    >
      <div className="meter-fill" style={{ width: `${share * 100}%` }} />
    </div>
  )
}
