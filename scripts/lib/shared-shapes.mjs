import { Parser } from 'acorn'

/**
 * Node 20 gives every object that `{ ...a, b }` makes a hidden class of its own, so that no code that reads it is ever optimised,
 * nor what is made of it by spreading again: a quarter of what a payout cost in Node. `{ ...null, ...a, b }` means the same,
 * is built from the empty object's class, and shares. To be dropped with Node 20: `npm test` says when it is no longer needed.
 */
export function withSharedShapes(source) {
  const places = spreadsThatComeFirst(source)
  let result = ''
  let from = 0
  for (const place of places.toSorted((one, other) => one - other)) {
    // Within the line, so that the source map's lines stay right.
    result += `${source.slice(from, place)}...null, `
    from = place
  }
  return result + source.slice(from)
}

/** Where objects begin with a spread and go on. */
function spreadsThatComeFirst(source) {
  if (!/\{\s*\.\.\./.test(source)) return []
  const places = []
  const Watching = Parser.extend(
    (Base) =>
      class extends Base {
        finishNode(node, type) {
          if (type === 'ObjectExpression' && node.properties.length > 1) {
            const [first] = node.properties
            if (first.type === 'SpreadElement') places.push(first.start)
          }
          return super.finishNode(node, type)
        }
      },
  )
  Watching.parse(source, { ecmaVersion: 'latest', sourceType: 'module' })
  return places
}
