export type FigureProps = {
  size: 'xl' | 'l'
  as?: 'p' | 'span' | 'output' | undefined
  children: string
}

/** The width of the widest digit, as a share of the font size. */
const digit = 0.65

/**
 * The main number of a view, in digits of equal width. A number that is too long for its line gets
 * smaller, because a wrapped number could be misread.
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
