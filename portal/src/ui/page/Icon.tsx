import type { ReactElement, SVGProps } from 'react'

export type IconProps = Omit<SVGProps<SVGSVGElement>, 'children'> & {
  /** Width and height: pixels, or a CSS length. */
  size?: number | string
}

export type Icon = (props: IconProps) => ReactElement

/**
 * Makes the component of one icon. The modules that vite.icons.ts generates call it.
 * @param path the SVG path, on Phosphor's grid of 256 × 256
 * @public
 */
export function icon(path: string): Icon {
  return function Drawing({ size = '1em', ...rest }) {
    return (
      <svg
        xmlns="http://www.w3.org/2000/svg"
        width={size}
        height={size}
        fill="currentColor"
        viewBox="0 0 256 256"
        {...rest}
      >
        <path d={path} />
      </svg>
    )
  }
}
