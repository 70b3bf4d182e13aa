/** So many pieces of a thing in words, such as "Latte × 2"; one piece is its name alone. */
export function counted(name: string, quantity: number): string {
  return quantity === 1 ? name : `${name} × ${quantity}`
}
