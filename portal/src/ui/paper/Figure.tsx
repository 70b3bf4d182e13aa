export type FigureProps = {
  size: 'xl' | 'l'
  as?: 'p' | 'span' | 'output' | undefined
  children: string
}

/** How wide a digit is at most, as a part of the letters' size. */
const digit = 0.65

/**
 * The one big number of a view, in digits of equal width. It fills the line that it is given: a
 * number that is too long for it gets smaller, for a broken number is a wrong one.
 */
export function Figure({ size, as: Element = 'p', children }: FigureProps) {
  const fitting = `${(100 / (children.length * digit)).toFixed(2)}cqi`
  const look = size === 'xl' ? 'text-figure-xl' : 'text-figure-l'
  return (
    <Element className={`@container num block min-w-0 grow ${look}`}>
      <span className="text-nowrap" style={{ fontSize: `min(1em, ${fitting})` }}>
        {children}
      </span>
    </Element>
  )
}
