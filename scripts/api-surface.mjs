/**
 * What a package's entries export, read from the sources with TypeScript: names, signatures, doc comments, and what is
 * missing of those. Entries whose name says 'unstable' are not public and left out, as are members marked @internal.
 */
import { readFileSync } from 'node:fs'
import { join, relative, sep } from 'node:path'
import ts from 'typescript'

/**
 * @typedef {object} Doc
 * @property {string} text  paragraphs, with a blank line between them
 * @property {{ name: string, text: string }[]} params
 * @property {string} returns
 * @property {string[]} throws
 *
 * @typedef {object} Member
 * @property {string} name
 * @property {string} signature  as code
 * @property {boolean} isCallable
 * @property {boolean} hasOwnDoc  not only that of an interface
 * @property {Doc} doc
 *
 * @typedef {object} PublicName
 * @property {string} name
 * @property {'function' | 'class' | 'interface' | 'type' | 'const'} kind
 * @property {string} file  where it is declared, relative to the root
 * @property {string[]} signatures  as code; of a class, how to make one
 * @property {Doc} doc
 * @property {Doc} [making]  a class's constructor
 * @property {Member[]} members
 * @property {string[]} interfaces  public ones that a class implements
 * @property {string[]} inherited  its members that only they describe
 *
 * @typedef {object} Entry
 * @property {string} name  as it is imported
 * @property {string} intro  the comment at the top of its file
 * @property {PublicName[]} names  by file, in the order of their declaration
 */

/** Packages whose entries are for people who install them. */
const PACKAGES = ['packages/pliant', 'packages/train']

/**
 * @returns {{ entries: Entry[], gaps: string[] }} gaps: one line for each doc comment or unit that is missing, and for
 * each name in a signature that no public entry exports
 */
export function readApi(root, packages = PACKAGES) {
  const files = entryFiles(root, packages)
  const program = ts.createProgram([...files.values()], {
    target: ts.ScriptTarget.ESNext,
    module: ts.ModuleKind.ESNext,
    moduleResolution: ts.ModuleResolutionKind.Bundler,
    strict: true,
    skipLibCheck: true,
    noEmit: true,
    types: ['node'],
    baseUrl: root,
    paths: Object.fromEntries([...files].map(([name, file]) => [name, [file]])),
  })
  const reader = new Reader(root, program)
  const isPublic = ([name]) => !name.includes('unstable')
  const entries = [...files].filter(isPublic).map(([name, file]) => ({ name, file, symbols: reader.exportsOf(file) }))
  for (const { symbols } of entries) for (const [as, symbol] of symbols) reader.addPublic(as, symbol)
  return {
    entries: entries.map(({ name, file, symbols }) => ({
      name,
      intro: introOf(program.getSourceFile(file)),
      names: [...symbols].map(([as, symbol]) => reader.publicName(name, as, symbol)).sort(byPlace),
    })),
    gaps: reader.gaps.sort(),
  }
}

/** Source file of every entry, those that are not public included: imports lead through them. */
function entryFiles(root, packages) {
  const files = new Map()
  for (const folder of packages) {
    const { name, exports } = JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8'))
    for (const [path, target] of Object.entries(exports)) {
      const source = target.default?.replace('./dist/', 'src/').replace(/\.js$/, '.ts')
      if (source?.endsWith('.ts')) files.set(name + path.slice(1), join(root, folder, source))
    }
  }
  return files
}

class Reader {
  gaps = []
  /** What is public -> the names that it has. */
  publicNames = new Map()

  constructor(root, program) {
    this.root = root
    this.program = program
    this.checker = program.getTypeChecker()
  }

  /** Name -> what it stands for, wherever that is declared. */
  exportsOf(file) {
    const module = this.checker.getSymbolAtLocation(this.program.getSourceFile(file))
    return new Map(this.checker.getExportsOfModule(module).map((symbol) => [symbol.name, this.declared(symbol)]))
  }

  addPublic(name, symbol) {
    this.publicNames.set(symbol, (this.publicNames.get(symbol) ?? new Set()).add(name))
  }

  declared(symbol) {
    return symbol.flags & ts.SymbolFlags.Alias ? this.checker.getAliasedSymbol(symbol) : symbol
  }

  publicName(entry, name, symbol) {
    const node = symbol.declarations[0]
    const doc = this.docOf(symbol)
    const kind = kindOf(node)
    const place = `${entry}: ${name}`
    this.requireDoc(place, doc)
    const found = {
      name,
      kind,
      file: relative(this.root, node.getSourceFile().fileName).split(sep).join('/'),
      position: node.pos,
      signatures: this.signaturesOf(name, symbol, kind),
      doc,
      members: this.membersOf(place, node),
      interfaces: this.interfacesOf(node),
      inherited: [],
    }
    if (found.interfaces.length > 0) {
      const isTold = ({ hasOwnDoc }) => hasOwnDoc
      found.inherited = found.members.filter((member) => !isTold(member)).map(({ name }) => name)
      found.members = found.members.filter(isTold)
    }
    this.requirePublicNames(place, this.typesOf(node, kind))
    if (kind === 'function') this.requireUnits(place, node.parameters, doc)
    if (kind === 'class') {
      const maker = constructorOf(node)
      if (maker) {
        const parts = ts.getJSDocCommentsAndTags(maker).filter(ts.isJSDoc)
        found.making = docOfTags(commentText(parts.at(-1)?.comment), ts.getJSDocTags(maker).map(tagParts))
        this.requireUnits(`${place} constructor`, maker.parameters, found.making)
      }
    }
    return found
  }

  signaturesOf(name, symbol, kind) {
    const node = symbol.declarations[0]
    if (kind === 'function') {
      const overloads = symbol.declarations.filter((one) => ts.isFunctionDeclaration(one) && !one.body)
      return (overloads.length > 0 ? overloads : [node]).map((one) => `function ${name}${this.callOf(one)}`)
    }
    if (kind === 'class') {
      const maker = constructorOf(node)
      // What extends another class and adds no constructor is made as that one is.
      const isPlain =
        !hasConstructor(node) && !node.heritageClauses?.some(({ token }) => token === ts.SyntaxKind.ExtendsKeyword)
      return maker || isPlain ? [`new ${name}${typeParameters(node)}(${this.parametersOf(maker)})`] : []
    }
    if (kind === 'const') {
      const value =
        node.initializer && ts.isAsExpression(node.initializer) ? node.initializer.expression : node.initializer
      if (node.type && !(value && ts.isObjectLiteralExpression(value))) return [`const ${name}: ${plain(node.type)}`]
      return [`const ${name} = ${dedent(value)}`]
    }
    if (kind === 'type' && !ts.isTypeLiteralNode(node.type))
      return [`type ${name}${typeParameters(node)} = ${this.aliased(node)}`]
    const bases = node.heritageClauses?.flatMap(({ types }) => types.filter((type) => this.isPublicBase(type)))
    const extending = bases?.length ? ` extends ${bases.map((base) => base.getText()).join(', ')}` : ''
    return extending ? [`interface ${name}${typeParameters(node)}${extending}`] : []
  }

  interfacesOf(node) {
    if (!ts.isClassDeclaration(node)) return []
    const types = (node.heritageClauses ?? []).filter(({ token }) => token === ts.SyntaxKind.ImplementsKeyword)
    return types.flatMap((clause) =>
      clause.types.filter((type) => this.isPublicBase(type)).map(({ expression }) => expression.getText()),
    )
  }

  /** As it is written, but for what is taken from values that nobody outside sees. */
  aliased(node) {
    const written = plain(node.type)
    if (!/\btypeof\b/.test(written)) return written
    const flags = ts.TypeFormatFlags.NoTruncation | ts.TypeFormatFlags.InTypeAlias
    return this.checker.typeToString(this.checker.getTypeAtLocation(node), undefined, flags).replaceAll('"', "'")
  }

  isPublicBase(type) {
    const symbol = this.checker.getSymbolAtLocation(type.expression)
    return symbol !== undefined && this.publicNames.has(this.declared(symbol))
  }

  /** Properties, methods and accessors; those of bases that are not public themselves as well. */
  membersOf(place, node) {
    const holder = ts.isTypeAliasDeclaration(node) && ts.isTypeLiteralNode(node.type) ? node.type : node
    if (!ts.isClassDeclaration(holder) && !ts.isInterfaceDeclaration(holder) && !ts.isTypeLiteralNode(holder)) return []
    const found = []
    for (const member of holder.members) {
      if (isHidden(member)) continue
      if (ts.isConstructorDeclaration(member)) {
        // Parameters that are properties as well.
        for (const parameter of member.parameters) {
          const isShown = ts.isParameterPropertyDeclaration(parameter, member) && !isHidden(parameter)
          if (isShown) found.push(...this.propertyOf(place, parameter, ''))
        }
      } else if (ts.isMethodDeclaration(member) || ts.isMethodSignature(member))
        found.push(this.methodOf(place, member))
      else if (member.name) found.push(...this.propertyOf(place, member, ''))
    }
    for (const type of (node.heritageClauses ?? []).flatMap(({ token, types }) =>
      token === ts.SyntaxKind.ExtendsKeyword ? types : [],
    )) {
      const base = this.checker.getSymbolAtLocation(type.expression)
      const declaration = base && this.declared(base).declarations?.[0]
      if (!declaration || this.isPublicBase(type) || declaration.getSourceFile().isDeclarationFile) continue
      const known = new Set(found.map(({ name }) => name))
      found.push(...this.membersOf(place, declaration).filter(({ name }) => !known.has(name)))
    }
    return found.filter(({ name }, i) => found.findIndex((other) => other.name === name) === i)
  }

  methodOf(place, member) {
    const name = member.name.getText()
    this.requirePublicNames(`${place}.${name}`, [member])
    const doc = this.docOf(this.checker.getSymbolAtLocation(member.name))
    this.requireDoc(`${place}.${name}`, doc)
    this.requireUnits(`${place}.${name}`, member.parameters, doc)
    return {
      name,
      signature: `${name}${member.questionToken ? '?' : ''}${this.callOf(member)}`,
      isCallable: true,
      hasOwnDoc: hasDoc(member),
      doc,
    }
  }

  /** A property, and what a type literal says of its parts. */
  propertyOf(place, member, within) {
    const name = within + member.name.getText()
    const doc = this.docOf(this.checker.getSymbolAtLocation(member.name))
    if (within === '') this.requireDoc(`${place}.${name}`, doc)
    const type = member.type ?? member.parameters?.[0]?.type
    if (within === '') this.requirePublicNames(`${place}.${name}`, [type ?? member])
    const isMethod = ts.isMethodSignature(member)
    const whole = () => this.checker.typeToString(this.checker.getTypeAtLocation(member))
    const typeText = isMethod ? whole() : type ? plain(type) : this.inferred(member)
    const isReadonly = ts.isGetAccessor(member) || hasModifier(member, ts.SyntaxKind.ReadonlyKeyword)
    if (within === '') this.requireUnit(`${place}.${name}`, member.name.getText(), typeText, wholeText(doc))
    const prefix = hasModifier(member, ts.SyntaxKind.StaticKeyword) ? 'static ' : ''
    const signature = `${prefix}${isReadonly ? 'readonly ' : ''}${name}${member.questionToken ? '?' : ''}: ${typeText}`
    const parts = type && literalOf(type)
    const inner = parts
      ? parts.members.filter((part) => part.name && (ts.isPropertySignature(part) || ts.isMethodSignature(part)))
      : []
    // Parts are worth a line of their own where one of them has something to say.
    const told = inner.flatMap((part) =>
      this.propertyOf(place, part, `${name}${ts.isArrayTypeNode(type) ? '[]' : ''}.`),
    )
    const own = { name, signature, isCallable: false, hasOwnDoc: hasDoc(member), doc }
    return [own, ...(told.some((one) => wholeText(one.doc) !== '') ? told : [])]
  }

  /** What the signatures of a name are written with; members see to their own. */
  typesOf(node, kind) {
    if (kind === 'function') {
      const declarations = this.checker.getSymbolAtLocation(node.name).declarations
      const overloads = declarations.filter((one) => ts.isFunctionDeclaration(one) && !one.body)
      return overloads.length > 0 ? overloads : [node]
    }
    if (kind === 'class') return [constructorOf(node), ...(node.typeParameters ?? [])].filter(Boolean)
    if (kind === 'interface') return node.typeParameters ?? []
    if (kind === 'const') return [node.type].filter(Boolean)
    // Of what is taken from a value, the reference shows the type itself.
    return /\btypeof\b/.test(plain(node.type)) ? [] : [node]
  }

  /** Names of our own in types, written or inferred, which people who read them cannot import. */
  requirePublicNames(place, nodes) {
    const names = new Set()
    const look = (symbol) => {
      const declared = symbol && this.declared(symbol)
      // By the name that is written: a public one of another name does not help whoever reads it.
      if (declared && this.isOurType(declared) && !this.publicNames.get(declared)?.has(symbol.name)) {
        names.add(symbol.name)
      }
    }
    const visit = (node) => {
      if (ts.isBlock(node) || ts.isJSDoc(node)) return
      if (ts.isTypeReferenceNode(node)) look(this.checker.getSymbolAtLocation(node.typeName))
      if (ts.isExpressionWithTypeArguments(node)) look(this.checker.getSymbolAtLocation(node.expression))
      if (ts.isTypeQueryNode(node)) look(this.checker.getSymbolAtLocation(node.exprName))
      ts.forEachChild(node, visit)
    }
    for (const node of nodes) {
      const isInferred = !node.type && !ts.isTypeNode(node) && !ts.isConstructorDeclaration(node)
      if (isInferred) this.visitInferred(node, look)
      if (ts.isPropertyDeclaration(node) && isInferred) continue
      visit(node)
    }
    for (const name of names) {
      this.gaps.push(`${place}: '${name}' in its signature is not public; export it from an entry, or write it out.`)
    }
  }

  /** What `inferred` prints. */
  visitInferred(node, look) {
    const seen = new Set()
    const visit = (type) => {
      if (seen.has(type)) return
      seen.add(type)
      const named = type.aliasSymbol ?? type.symbol
      if (named && !/^__/.test(named.name)) {
        look(named)
        const inner = type.aliasSymbol ? (type.aliasTypeArguments ?? []) : this.checker.getTypeArguments(type)
        inner.forEach(visit)
        return
      }
      if (type.isUnionOrIntersection()) type.types.forEach(visit)
      for (const call of type.getCallSignatures()) visit(call.getReturnType())
      for (const property of type.getProperties()) visit(this.checker.getTypeOfSymbolAtLocation(property, node))
    }
    const type = this.checker.getTypeAtLocation(node)
    const [call] = ts.isGetAccessor(node) || ts.isPropertyDeclaration(node) ? [] : type.getCallSignatures()
    visit(call ? call.getReturnType() : type)
  }

  isOurType({ flags, declarations }) {
    if (flags & ts.SymbolFlags.TypeParameter) return false
    return declarations?.some((node) => !node.getSourceFile().isDeclarationFile) ?? false
  }

  callOf(node) {
    const result = node.type ? plain(node.type) : this.inferred(node)
    return `${typeParameters(node)}(${this.parametersOf(node)}): ${result}`
  }

  parametersOf(node) {
    return (node?.parameters ?? [])
      .map((parameter) => {
        const type = parameter.type
          ? plain(parameter.type)
          : this.checker.typeToString(this.checker.getTypeAtLocation(parameter))
        const rest = parameter.dotDotDotToken ? '...' : ''
        const optional = parameter.questionToken || parameter.initializer ? '?' : ''
        return `${rest}${nameOfParameter(parameter)}${optional}: ${type}`
      })
      .join(', ')
  }

  inferred(node) {
    const type = this.checker.getTypeAtLocation(node)
    const [call] = ts.isGetAccessor(node) || ts.isPropertyDeclaration(node) ? [] : type.getCallSignatures()
    return this.checker.typeToString(call ? call.getReturnType() : type, node)
  }

  docOf(symbol) {
    const tags = symbol
      .getJsDocTags(this.checker)
      .map(({ name, text }) => ({ name, text: ts.displayPartsToString(text) }))
    return docOfTags(ts.displayPartsToString(symbol.getDocumentationComment(this.checker)), tags)
  }

  requireDoc(place, doc) {
    if (doc.text === '') this.gaps.push(`${place}: has no doc comment; say in a sentence what it is.`)
  }

  requireUnits(place, parameters, doc) {
    for (const parameter of parameters) {
      const type = parameter.type ? plain(parameter.type) : ''
      this.requireUnit(place, nameOfParameter(parameter), type, wholeText(doc))
    }
  }

  /** Numbers that are lengths, times, angles, forces by their name must say in what. */
  requireUnit(place, name, type, text) {
    if (!/^(readonly )?(number|Floats|Float32Array|Float64Array|Vec3|ArrayLike<number>)$/.test(type)) return
    const isQuantity = QUANTITY.test(name) || (!/^number|ArrayLike/.test(type) && PLACES.test(name))
    if (!isQuantity || UNIT.test(text)) return
    this.gaps.push(`${place}: '${name}' is a quantity without a unit; say it, as in 'its length [m]'.`)
  }
}

/** The last word of names of lengths, times, angles, speeds, masses and forces. */
const QUANTITY =
  /(^|[a-z])(distances?|seconds|time|duration|lengths?|radius|height|width|depths?|thickness|margin|(?<!tri)angles?|speed|velocit(y|ies)|gravity|mass(es)?|forces?|torque|density|truncation|separations?|areas?|spacing|substep)$/i
/** Places, which are quantities where they are arrays of floats; otherwise it says how many or which. */
const PLACES = /(^|[a-z])(positions?|points?[AB]?|vertices|nodes)$/i
/** A bracket such as [m/s^2], or the unit in words. */
const UNIT =
  /\[[^\]]*(m|s|rad|kg|N|Pa)\b[^\]]*\]|\b(metres?|seconds?|radians|degrees|kilograms|newtons|units?|shares?)\b/

function kindOf(node) {
  if (ts.isFunctionDeclaration(node)) return 'function'
  if (ts.isClassDeclaration(node)) return 'class'
  if (ts.isInterfaceDeclaration(node)) return 'interface'
  return ts.isTypeAliasDeclaration(node) ? 'type' : 'const'
}

function byPlace(a, b) {
  return a.file === b.file ? a.position - b.position : a.file < b.file ? -1 : 1
}

/** The comment at the top of a file, which says what the entry is for. */
function introOf(source) {
  const [first] = ts.getLeadingCommentRanges(source.text, 0) ?? []
  if (!first) return ''
  const lines = source.text
    .slice(first.pos, first.end)
    .replace(/^\/\*\*?|\*\/$/g, '')
    .split('\n')
  return paragraphs(lines.map((line) => line.replace(/^\s*\* ?/, '')).join('\n'))
}

function docOfTags(text, tags) {
  const of = (name) => tags.filter((tag) => tag.name === name).map((tag) => paragraphs(tag.text))
  return {
    text: paragraphs(text),
    params: of('param').map((param) => ({ name: param.split(/\s/, 1)[0], text: param.replace(/^\S+\s*-?\s*/, '') })),
    returns: of('returns').join(' '),
    throws: of('throws'),
  }
}

function tagParts(tag) {
  const name = ts.isJSDocParameterTag(tag) ? `${tag.name.getText()} ` : ''
  const type = tag.typeExpression ? `${tag.typeExpression.type.getText()} ` : ''
  return { name: tag.tagName.text, text: name + type + commentText(tag.comment) }
}

function commentText(comment) {
  return ts.getTextOfJSDocComment(comment) ?? ''
}

/** Lines of a paragraph become one. Files of the source, in brackets, are left out: they are not for those who read this. */
function paragraphs(text) {
  return text
    .trim()
    .replace(/\s+\([^()]*[\w-]\.ts\)/g, '')
    .split(/\n\s*\n/)
    .map((paragraph) => paragraph.replace(/\s*\n\s*(?![-*] )/g, ' ').trim())
    .join('\n\n')
}

function wholeText(doc) {
  return [doc.text, doc.returns, ...doc.params.map(({ text }) => text)].join(' ').trim()
}

function isHidden(member) {
  if (member.name && ts.isPrivateIdentifier(member.name)) return true
  if (ts.getCombinedModifierFlags(member) & (ts.ModifierFlags.Private | ts.ModifierFlags.Protected)) return true
  return isInternal(member)
}

function isInternal(member) {
  return ts.getJSDocTags(member).some(({ tagName }) => tagName.text === 'internal')
}

function hasDoc(node) {
  return ts.getJSDocCommentsAndTags(node).some(ts.isJSDoc)
}

function hasModifier(node, kind) {
  return (node.modifiers ?? []).some((modifier) => modifier.kind === kind)
}

function hasConstructor(node) {
  return node.members.some(ts.isConstructorDeclaration)
}

/** Undefined where nobody but the package itself makes one. */
function constructorOf(node) {
  return node.members.find((member) => ts.isConstructorDeclaration(member) && !isHidden(member))
}

function literalOf(type) {
  if (ts.isArrayTypeNode(type)) return literalOf(type.elementType)
  if (ts.isTypeOperatorNode(type)) return literalOf(type.type)
  return ts.isTypeLiteralNode(type) ? type : undefined
}

function nameOfParameter({ name }) {
  // What is taken apart at once has no name of its own.
  return ts.isIdentifier(name) ? name.text : 'options'
}

function typeParameters(node) {
  return node.typeParameters?.length ? `<${node.typeParameters.map((one) => one.getText()).join(', ')}>` : ''
}

/** A type in one line, without comments. */
function plain(node) {
  return node
    .getText()
    .replace(/\/\*[\s\S]*?\*\/|\/\/.*/g, '')
    .replace(/\s*\n\s*/g, '\n')
    .replace(/\s*\n\s*(?=[})\]])/g, ' ')
    .replace(/(?<=[^{([|&<,;=]|=>)\s*\n\s*(?=[\w[])/g, '; ')
    .replace(/\s+/g, ' ')
    .replace(/^\| /, '')
    .trim()
}

function dedent(node) {
  const lines = node.getText().split('\n')
  const indent = Math.min(...lines.slice(1).map((line) => line.search(/\S|$/)), 99)
  return lines.map((line, i) => (i === 0 ? line : line.slice(indent))).join('\n')
}
