/** What was done, when and where, pressed on paper at an angle. */
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
