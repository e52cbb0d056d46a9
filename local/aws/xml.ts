/** A list is written as several elements with the same name; undefined is left out. */
export type XmlValue = string | number | boolean | undefined | XmlElement | readonly XmlElement[];

export interface XmlElement {
  [name: string]: XmlValue;
}

export function formatXml(content: XmlElement): string {
  return Object.entries(content)
    .flatMap(([name, value]) => {
      if (value === undefined) return [];
      const entries = Array.isArray(value) ? value : [value];
      return entries.map(
        (entry) => `<${name}>${typeof entry === 'object' ? formatXml(entry) : escapeXml(entry)}</${name}>`,
      );
    })
    .join('');
}

const escapes: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', '\r': '&#13;' };

function escapeXml(value: string | number | boolean): string {
  return String(value).replace(/[&<>"\r]/g, (character) => escapes[character] ?? character);
}
