// Small mistakes in a source, made by rule: another operator, another number, a condition that always holds, a step left out.
import { parseAst } from 'vite'

export interface SmallMistake {
  readonly start: number
  readonly end: number
  /** What stands there instead. */
  readonly to: string
  readonly line: number
}

interface Node {
  readonly type: string
  readonly start: number
  readonly end: number
  readonly [name: string]: unknown
}

const OPERATORS: Readonly<Record<string, readonly string[]>> = {
  '<': ['<=', '>='],
  '<=': ['<', '>'],
  '>': ['>=', '<='],
  '>=': ['>', '<'],
  '===': ['!=='],
  '!==': ['==='],
  '==': ['!='],
  '!=': ['=='],
  '+': ['-'],
  '-': ['+'],
  '*': ['/'],
  '/': ['*'],
  '%': ['*'],
  '**': ['*'],
  '&&': ['||'],
  '||': ['&&'],
  '??': ['&&'],
  '+=': ['-='],
  '-=': ['+='],
}
/** In a loop's condition: whatever else would never end. */
const BOUNDARIES: Readonly<Record<string, readonly string[]>> = { '<': ['<='], '<=': ['<'], '>': ['>='], '>=': ['>'] }
const METHODS: Readonly<Record<string, string>> = {
  some: 'every',
  every: 'some',
  min: 'max',
  max: 'min',
  startsWith: 'endsWith',
  endsWith: 'startsWith',
  padStart: 'padEnd',
  padEnd: 'padStart',
  find: 'findLast',
  findLast: 'find',
}
const WITHOUT = new Set(['filter', 'slice', 'trim', 'toSorted', 'toReversed', 'replace', 'replaceAll'])
/** They are gone when the program runs; what is in them of it is looked at. */
const TRANSPARENT = new Set(['TSAsExpression', 'TSNonNullExpression', 'TSSatisfiesExpression'])

const isNode = (value: unknown): value is Node => typeof (value as Node | null)?.type === 'string'

export function smallMistakesIn(text: string): SmallMistake[] {
  const found: SmallMistake[] = []
  const lineOf = (start: number) => text.slice(0, start).split('\n').length
  const say = ({ start, end }: Pick<Node, 'start' | 'end'>, to: string) => {
    if (text.slice(start, end) !== to) found.push({ start, end, to, line: lineOf(start) })
  }
  const walk = (node: Node, inLoop: boolean): void => {
    if (node.type === 'ImportDeclaration' || (node.type.startsWith('TS') && !TRANSPARENT.has(node.type))) return
    mistakesAt(node, { text, say, inLoop })
    for (const [name, value] of Object.entries(node)) {
      if (isLeftAlone(node, name)) continue
      const isCondition = name === 'test' && /^(?:For|While|DoWhile)/.test(node.type)
      for (const child of Array.isArray(value) ? value : [value])
        if (isNode(child)) walk(child, isCondition || (inLoop && name !== 'body'))
    }
  }
  walk(parseAst(text, { lang: 'ts' }) as unknown as Node, false)
  return found
}

/** Names, and what is said to whoever reads an assertion's message. */
function isLeftAlone(node: Node, name: string): boolean {
  if (name === 'key' && node['computed'] !== true) return true
  if (name === 'update' && node.type === 'ForStatement') return true
  return name === 'arguments' && isNode(node['callee']) && node['callee']['name'] === 'assert'
}

interface At {
  readonly text: string
  readonly say: (where: Pick<Node, 'start' | 'end'>, to: string) => void
  readonly inLoop: boolean
}

function mistakesAt(node: Node, at: At): void {
  const { text, say, inLoop } = at
  switch (node.type) {
    case 'BinaryExpression':
    case 'LogicalExpression':
    case 'AssignmentExpression': {
      const [left, right, operator] = [node['left'] as Node, node['right'] as Node, String(node['operator'])]
      const place = text.indexOf(operator, left.end)
      if (place === -1 || place >= right.start) return
      for (const to of (inLoop ? BOUNDARIES : OPERATORS)[operator] ?? []) {
        say({ start: place, end: place + operator.length }, to)
      }
      return
    }
    case 'ConditionalExpression':
    case 'IfStatement':
      for (const to of ['true', 'false']) say(node['test'] as Node, to)
      return
    case 'UnaryExpression':
      if (node['operator'] === '!' || node['operator'] === '-') say({ start: node.start, end: node.start + 1 }, ' ')
      return
    case 'Literal':
      return literal(node, at)
    case 'TemplateLiteral':
      return say(node, '``')
    case 'ArrayExpression':
      return say(node, '[]')
    case 'BlockStatement':
      return (node['body'] as unknown[]).length === 0 ? undefined : say(node, '{}')
    case 'ArrowFunctionExpression':
      return (node['body'] as Node).type === 'BlockStatement' ? undefined : say(node['body'] as Node, 'undefined')
    case 'CallExpression':
      return call(node, at)
    default:
  }
}

function literal(node: Node, { text, say }: At): void {
  const { value } = node
  const said = text.slice(node.start, node.end)
  if (typeof value === 'boolean') say(node, String(!value))
  else if (/^[\d_]+n$/.test(said)) say(node, `${BigInt(said.slice(0, -1).replaceAll('_', '')) + 1n}n`)
  else if (typeof value === 'number') say(node, String(value + 1))
  else if (typeof value === 'string') say(node, value === '' ? "'something'" : "''")
}

function call(node: Node, { text, say }: At): void {
  const callee = node['callee'] as Node
  if (callee.type !== 'MemberExpression' || callee['computed'] === true) return
  const [object, property] = [callee['object'] as Node, callee['property'] as Node]
  const name = text.slice(property.start, property.end)
  if (METHODS[name] !== undefined) say(property, METHODS[name])
  if (WITHOUT.has(name)) say({ start: object.end, end: node.end }, '')
}
