import type { ReactNode } from 'react'

export type FigureProps = {
  size: 'xl' | 'l'
  as?: 'p' | 'span' | 'output' | undefined
  children: ReactNode
}

/** The one big number of a view, in digits of equal width. */
export function Figure({ size, as: Element = 'p', children }: FigureProps) {
  return (
    <Element className={`num ${size === 'xl' ? 'text-figure-xl' : 'text-figure-l'}`}>
      {children}
    </Element>
  )
}
