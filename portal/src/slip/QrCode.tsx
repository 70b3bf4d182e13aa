import { encode } from 'uqr'

type QrCodeProps = { text: string; label: string }

/** A QR code with its quiet zone, in black on white on every theme. */
export function QrCode({ text, label }: QrCodeProps) {
  // Level M still reads with a seventh of the code damaged.
  const { data, size } = encode(text, { ecc: 'M', border: 4 })
  const path = data
    .flatMap((row, y) => row.map((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : '')))
    .join('')
  return (
    <svg
      role="img"
      aria-label={label}
      viewBox={`0 0 ${size} ${size}`}
      shapeRendering="crispEdges"
      className="slip-code"
    >
      <path d={path} />
    </svg>
  )
}
