import assert from 'node:assert/strict';
import { edited, file, type Job } from '../job';

const versionFiles = {
  'package.json': file`
    {
      "name": "leaf-reader",
      "version": "2.3.9",
      "main": "src/index.js"
    }
  `,
  'src/version.js': file`
    exports.VERSION = '2.3.9';
    exports.FORMAT = '1.0.0';
  `,
  'src/index.js': file`
    const { FORMAT, VERSION } = require('./version');

    exports.about = () => 'leaf-reader ' + VERSION + ', format ' + FORMAT;
  `,
  'CHANGELOG.md': file`
    # Changes

    ## 2.3.9

    - Reads files with a mark at the beginning.
  `,
};

const shopFiles = {
  'shop/__init__.py': '',
  'shop/tax.py': file`
    STANDARD = 19
    REDUCED = 9
    FOOD = {"bread", "milk", "rice"}


    def tax(article, price):
        rate = REDUCED if article in FOOD else STANDARD
        return round(price * rate / 100, 2)
  `,
  'shop/shipping.py': file`
    FLAT = 4.9
    FREE_FROM = 50


    def shipping(total):
        return 0 if total >= FREE_FROM else FLAT
  `,
  'shop/order.py': file`
    from shop.shipping import shipping
    from shop.tax import tax


    def total(lines):
        goods = sum(price + tax(article, price) for article, price in lines)
        return round(goods + shipping(goods), 2)
  `,
};

export const twoEdits: readonly Job[] = [
  {
    name: 'version-in-two-files',
    kind: 'two-edits',
    files: versionFiles,
    task: 'Set the version to 2.4.0 in package.json and in src/version.js.',
    check(folder) {
      folder.changedOnly('package.json', 'src/version.js');
      const manifest = { name: 'leaf-reader', version: '2.4.0', main: 'src/index.js' };
      assert.deepEqual(folder.json('package.json'), manifest);
      assert.equal(folder.value('require("./src/index").about()'), 'leaf-reader 2.4.0, format 1.0.0');
    },
    right: [
      {
        files: {
          ...edited(versionFiles, 'package.json', ['2.3.9', '2.4.0']),
          ...edited(versionFiles, 'src/version.js', ["'2.3.9'", '"2.4.0"']),
        },
        answer: 'Both files have the version 2.4.0.',
      },
    ],
    wrong: [
      {
        files: edited(versionFiles, 'package.json', ['2.3.9', '2.4.0']),
        answer: 'Both files have the version 2.4.0.',
      },
      {
        files: {
          ...edited(versionFiles, 'package.json', ['2.3.9', '2.4.0']),
          ...edited(versionFiles, 'src/version.js', ['2.3.9', '2.4.0'], ['1.0.0', '2.4.0']),
        },
        answer: 'Both files have the version 2.4.0.',
      },
    ],
  },
  {
    name: 'tax-and-shipping',
    kind: 'two-edits',
    files: shopFiles,
    task: 'The reduced tax rate is 7 percent now, and shipping is free from 80 on. Change both in the folder shop.',
    check(folder) {
      folder.changedOnly('shop/tax.py', 'shop/shipping.py');
      const script =
        'from shop.tax import tax; from shop.shipping import shipping; from shop.order import total; print(tax("milk", 100), tax("lamp", 100), shipping(79.99), shipping(80), total([("rice", 10), ("lamp", 50)]))';
      assert.equal(folder.python(script), '7.0 19.0 4.9 0 75.1');
    },
    right: [
      {
        files: {
          ...edited(shopFiles, 'shop/tax.py', ['REDUCED = 9', 'REDUCED = 7']),
          ...edited(shopFiles, 'shop/shipping.py', ['FREE_FROM = 50', 'FREE_FROM = 80']),
        },
        answer: 'Changed both.',
      },
    ],
    wrong: [
      { files: edited(shopFiles, 'shop/tax.py', ['REDUCED = 9', 'REDUCED = 7']), answer: 'Changed both.' },
      {
        files: {
          ...edited(shopFiles, 'shop/tax.py', ['REDUCED = 9', 'REDUCED = 7']),
          ...edited(shopFiles, 'shop/shipping.py', ['FLAT = 4.9', 'FLAT = 80']),
        },
        answer: 'Changed both.',
      },
    ],
  },
];
