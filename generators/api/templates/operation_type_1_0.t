%% The enumerations of types and operations of HAL 1.0.
package android.hardware.neuralnetworks@1.0;

/** What an operand holds. */
enum OperandType : int32_t {
%insert Operand_1.0

%insert Operand_OEM
};

/** What an operation computes. */
enum OperationType : int32_t {
%insert Operation_1.0

    /** An operation whose meaning only the device maker knows. */
    OEM_OPERATION = 10000,
};
