import { useState, type ReactNode } from 'react'
import { useTheme } from './company.ts'

/** The company's logo, or its name if the picture cannot be loaded. */
export function Logo(): ReactNode {
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
      height={28}
      className="block h-7 w-auto max-w-40 min-w-0 object-contain object-left"
      onError={() => setFailed(true)}
    />
  )
}
