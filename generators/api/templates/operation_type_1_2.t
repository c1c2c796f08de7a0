%% The enumerations of types and operations of HAL 1.2.
package android.hardware.neuralnetworks@1.2;

import @1.0::OperandType;
import @1.1::OperationType;

/** What an operand holds, beside the types of HAL 1.0. */
enum OperandType : @1.0::OperandType {
%insert Operand_1.2

%insert OEMDeprecationAndOperandTypeRangeMaxComment
};

/** The numbers of operand types. Those above BASE_MAX belong to extensions. */
enum OperandTypeRange : uint32_t {
    BASE_MIN = 0,
    FUNDAMENTAL_MIN = 0,
%insert Operand_1.2_MAX
    OEM_MIN = 10000,
    OEM_MAX = 10001,
    BASE_MAX = 0xFFFF,
};

/** What an operation computes. */
enum OperationType : int32_t {
%insert Operation_1.0

%insert Operation_1.1

%insert Operation_1.2

    /** An operation whose meaning only the device maker knows. Deprecated: extensions replace it. */
    OEM_OPERATION = @1.1::OperationType:OEM_OPERATION,
};

/** The numbers of operations. Those above BASE_MAX belong to extensions. */
enum OperationTypeRange : uint32_t {
    BASE_MIN = 0,
    FUNDAMENTAL_MIN = 0,
%insert Operation_1.2_MAX
    OEM_MIN = 10000,
    OEM_MAX = 10000,
    BASE_MAX = 0xFFFF,
};
