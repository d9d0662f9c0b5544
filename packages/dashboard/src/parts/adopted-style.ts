// Stands in for the package react-style-singleton (see vite.config.ts). Radix locks the page's scroll behind a dialog
// with a style sheet made at run time; an adopted sheet is allowed by `style-src 'self'` where a <style> element is not.
import { useEffect } from 'react'

interface Sheet {
  add(css: string): void
  remove(): void
}

export function stylesheetSingleton(): Sheet {
  let users = 0
  let sheet: CSSStyleSheet | null = null
  return {
    add(css) {
      if (users++ > 0) return
      sheet = new CSSStyleSheet()
      sheet.replaceSync(css)
      document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet]
    },
    remove() {
      if (--users > 0) return
      document.adoptedStyleSheets = document.adoptedStyleSheets.filter((other) => other !== sheet)
      sheet = null
    },
  }
}

export function styleHookSingleton(): (css: string) => void {
  const sheet = stylesheetSingleton()
  return function useAdoptedStyle(css) {
    useEffect(() => {
      sheet.add(css)
      return () => sheet.remove()
    }, [css])
  }
}

export function styleSingleton(): (props: { styles: string }) => null {
  const useAdoptedStyle = styleHookSingleton()
  return function AdoptedStyle({ styles }) {
    useAdoptedStyle(styles)
    return null
  }
}
