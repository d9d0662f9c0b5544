import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { LOCKFILE, NODE_MODULES, ROOT, workspaceNames } from './paths.mjs'

const DEPENDENCY_FIELDS = ['dependencies', 'devDependencies', 'optionalDependencies', 'peerDependencies']

/**
 * Whether node_modules holds what package-lock.json asks for. npm writes
 * node_modules/.package-lock.json as the very last step of an install, so it is absent after an
 * interrupted one; every package's own version is compared too, in case an install into an
 * existing node_modules was interrupted.
 */
export function nodeModulesAgree(kind) {
  const wanted = readJson(LOCKFILE)?.packages
  const installed = installedPackages()
  if (wanted === undefined || installed === null) return false
  return Object.entries(wanted)
    .filter(([place, entry]) => place.includes('node_modules/') && isNeeded(entry, kind))
    .every(([place, entry]) => isInstalled(place, entry, installed[place]))
}

/** What npm says it installed, or null when no install ever finished. */
export function installedPackages() {
  return readJson(join(NODE_MODULES, '.package-lock.json'))?.packages ?? null
}

/** False when somebody edited a package.json without running npm install. */
export function lockfileIsCurrent() {
  const wanted = readJson(LOCKFILE)?.packages ?? {}
  const places = ['', ...workspaceNames().map((name) => `packages/${name}`)]
  return places.every((place) => {
    const manifest = readJson(join(ROOT, place, 'package.json'))
    const locked = wanted[place]
    if (manifest === null) return locked === undefined
    return DEPENDENCY_FIELDS.every((field) => sameMap(manifest[field], locked?.[field]))
  })
}

function sameMap(left = {}, right = {}) {
  const names = Object.keys(left)
  return names.length === Object.keys(right).length && names.every((name) => left[name] === right[name])
}

function isNeeded(entry, kind) {
  if (kind === 'runtime' && entry.dev === true) return false
  if (entry.optional !== true && entry.devOptional !== true) return true
  // An optional package counts only when it is certainly one for this machine.
  if (entry.libc !== undefined || (entry.os === undefined && entry.cpu === undefined)) return false
  return allows(entry.os, process.platform) && allows(entry.cpu, process.arch)
}

function allows(list, value) {
  return list === undefined || list.includes(value)
}

function isInstalled(place, entry, found) {
  if (found === undefined) return false
  if (entry.link === true) return found.link === true && found.resolved === entry.resolved
  if (found.version !== entry.version || found.integrity !== entry.integrity) return false
  return readJson(join(ROOT, place, 'package.json'))?.version === entry.version
}

function readJson(path) {
  try {
    return JSON.parse(readFileSync(path, 'utf8'))
  } catch {
    return null
  }
}
