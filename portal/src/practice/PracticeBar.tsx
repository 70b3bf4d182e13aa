import type { ReactNode } from 'react'
import { useTheme } from '../company/company.ts'

/**
 * Says on every page that this is a practice company. Its title says so in the clerk's language,
 * also before login. The style sheet draws the striped frame around a page with this bar.
 */
export function PracticeBar(): ReactNode {
  const { title } = useTheme()
  return (
    <aside aria-label={title} className="contents">
      <p role="note" className="practice-bar">
        {title}
      </p>
    </aside>
  )
}
