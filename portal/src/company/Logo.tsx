import { useState, type ReactNode } from 'react'
import { useTheme } from './company.ts'

const fitted = 'w-auto min-w-0 object-contain object-left'

/** The company's logo, or its name if the picture cannot be loaded. */
export function Logo({ large = false }: { large?: boolean }): ReactNode {
  const { logo, name } = useTheme()
  const [failed, setFailed] = useState(false)
  if (failed || logo === '') {
    return (
      <span className="block max-w-40 min-w-0 truncate text-strong text-brand-text">{name}</span>
    )
  }
  return (
    <img
      src={logo}
      alt={name}
      height={large ? 44 : 28}
      className={`block ${large ? 'h-11 max-w-60' : 'h-7 max-w-40'} ${fitted}`}
      onError={() => setFailed(true)}
    />
  )
}
