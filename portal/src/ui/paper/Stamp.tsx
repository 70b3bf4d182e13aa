/** A tilted stamp: action, date and place. */
export function Stamp({ lines }: { lines: readonly string[] }) {
  return (
    <p className="stamp num text-caption">
      {lines.map((line) => (
        <span key={line} className="block">
          {line}
        </span>
      ))}
    </p>
  )
}
