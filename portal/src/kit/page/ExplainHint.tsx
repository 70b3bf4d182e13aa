import { useLingui } from '@lingui/react/macro'

/** The last words of the accessible name of a button that explains a number. */
export function ExplainHint() {
  const { t } = useLingui()
  return <span className="sr-only">{t({ id: 'common.explain', message: 'Explain' })}</span>
}
