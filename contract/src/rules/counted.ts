/**
 * So many pieces of a thing in words, such as "Latte × 2"; one piece is its name alone.
 * @param quantity a text is the place in a template for any number but one
 */
export function counted(name: string, quantity: number | string): string {
  return quantity === 1 ? name : `${name} × ${quantity}`
}
